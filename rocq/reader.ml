(* Reads the files that eqvproof prints for Rocq, and says of each `Eval` in them, in order, whether the extracted
   checker accepts: "= true" or "= false"; or "malformed" where Rocq would not accept the definitions. *)

module C = Checker

exception Malformed

type term = Name of string | Number of int | Apply of string * term list | List of term list | Tuple of term list

(** Texts *)

let text =
  let found = Buffer.create 65536 in
  (try while true do Buffer.add_channel found stdin 1 done with End_of_file -> ());
  Buffer.contents found

let at = ref 0

let rec skip depth =
  if !at >= String.length text then (if depth > 0 then raise Malformed)
  else
    let two = if !at + 2 <= String.length text then String.sub text !at 2 else "" in
    if two = "(*" then (at := !at + 2; skip (depth + 1))
    else if depth > 0 && two = "*)" then (at := !at + 2; skip (depth - 1))
    else if depth > 0 || String.contains " \n" text.[!at] then (incr at; skip depth)

let is_word c = match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false

let token () =
  skip 0;
  if !at >= String.length text then ""
  else
    let long = List.find_opt (fun s -> !at + String.length s <= String.length text && String.sub text !at (String.length s) = s)
      [ "[::"; ":="; "fun=>"; "->" ] in
    let start = !at in
    (match long with
     | Some s -> at := !at + String.length s
     | None ->
         incr at;
         if is_word text.[start] then while !at < String.length text && is_word text.[!at] do incr at done);
    String.sub text start (!at - start)

let peek () = let before = !at in let found = token () in at := before; found
let expect word = if token () <> word then raise Malformed

(** Terms *)

let rec term () =
  match peek () with
  | "fun=>" -> ignore (token ()); Apply ("fun=>", [ atom () ])
  | _ -> (
      match (atom (), atoms ()) with
      | one, [] -> one
      | Name f, given -> Apply (f, given)
      | _ -> raise Malformed)

and atoms () = match peek () with
  | "[::" | "(" -> let one = atom () in one :: atoms ()
  | word when word <> "" && is_word word.[0] -> let one = atom () in one :: atoms ()
  | _ -> []

and atom () = match token () with
  | "[::" -> if peek () = "]" then (expect "]"; List []) else List (several ";" "]")
  | "(" -> (match several "," ")" with [ one ] -> one | found -> Tuple found)
  | word when word <> "" && is_word word.[0] ->
      if word.[0] <= '9' then match int_of_string_opt word with Some n -> Number n | None -> raise Malformed else Name word
  | _ -> raise Malformed

and several between last =
  let one = term () in
  let next = token () in
  if next = between then one :: several between last else if next = last then [ one ] else raise Malformed

(** Data of the checker *)

let known : (string, term) Hashtbl.t = Hashtbl.create 64

let rec meant t = match t with
  | Name n when Hashtbl.mem known n -> meant (Hashtbl.find known n)
  | Name n -> Apply (n, [])
  | _ -> t

let nat t = match meant t with
  | Number n when n <= 1_000_000 -> let rec up found k = if k = 0 then found else up (C.S found) (k - 1) in up C.O n
  | _ -> raise Malformed
let list f t = match meant t with List found -> List.map f found | _ -> raise Malformed
let pair f g t = match meant t with Tuple [ a; b ] -> (f a, g b) | _ -> raise Malformed
let int t = match meant t with
  | Apply ("Posz", [ n ]) -> C.Posz (nat n)
  | Apply ("Negz", [ n ]) -> C.Negz (nat n)
  | _ -> raise Malformed
let extent = list (list nat)
let shape = list extent

let rec place t = match meant t with
  | Apply ("Lab", [ n ]) -> C.Lab (nat n)
  | Apply ("Num", [ n ]) -> C.Num (nat n)
  | Apply ("Size", [ z ]) -> C.Size (extent z)
  | Apply ("Plus", [ a; b ]) -> C.Plus (place a, place b)
  | Apply ("Minus", [ a; b ]) -> C.Minus (place a, place b)
  | Apply ("Times", [ a; b ]) -> C.Times (place a, place b)
  | Apply ("Over", [ a; b ]) -> C.Over (place a, place b)
  | Apply ("Modulo", [ a; b ]) -> C.Modulo (place a, place b)
  | _ -> raise Malformed

let view t = match meant t with
  | Apply ("Cut", []) -> C.Cut
  | Apply ("Split", []) -> C.Split
  | Apply ("Merge", []) -> C.Merge
  | _ -> raise Malformed

let op t = match meant t with
  | Apply ("Input", [ k ]) -> C.Input (nat k)
  | Apply ("Scalar", [ k ]) -> C.Scalar (int k)
  | Apply ("Leaf", [ k ]) -> C.Leaf0 (nat k)
  | Apply ("Delta", [ z ]) -> C.Delta (extent z)
  | Apply ("Contract", [ rows; summed; out ]) ->
      C.Contract (list (pair nat (list place)) rows, list (pair nat extent) summed, list nat out)
  | Apply ("Add", [ args ]) -> C.Add (list nat args)
  | Apply ("Map", [ h; args ]) -> C.Map (nat h, list nat args)
  | Apply ("Choose", [ c; ps; a; b ]) -> C.Choose (nat c, list nat ps, nat a, nat b)
  | Apply ("Fold", [ h; a; p; z ]) -> C.Fold (nat h, nat a, nat p, extent z)
  | Apply ("Sort", [ h; a; p; z ]) -> C.Sort (nat h, nat a, nat p, extent z)
  | Apply ("Join", [ rows; p ]) -> C.Join (list (pair nat extent) rows, nat p)
  | Apply ("Whole", [ h; r; args ]) -> C.Whole (nat h, nat r, list (pair nat (list extent)) args)
  | Apply ("View", [ v; a; p; z; w ]) -> C.View (view v, nat a, nat p, extent z, extent w)
  | _ -> raise Malformed

let rec kind t = match meant t with
  | Apply ("Fix", []) -> C.Fix
  | Apply ("Std", []) -> C.Std
  | Apply ("Dual", []) -> C.Dual
  | Apply ("Irr", [ l ]) -> C.Irr (nat l)
  | Apply ("Det", [ k ]) -> C.Det (kind k)
  | Apply ("Prod", [ a; z; b; w ]) -> C.Prod (kind a, extent z, kind b, extent w)
  | _ -> raise Malformed
let rtype = pair (list (list (pair kind extent))) int

let fact t = match meant t with
  | Apply ("None", []) -> None
  | Apply ("Some", [ f ]) -> (
      match meant f with
      | Apply ("Degree", [ d ]) -> Some (C.Degree (int d))
      | Apply ("Inverse", []) -> Some C.Inverse
      | Apply ("Pseudoinverse", []) -> Some C.Pseudoinverse
      | Apply ("Number", []) -> Some C.Number
      | Apply ("List", []) -> Some C.List
      | Apply ("Conjugate", []) -> Some C.Conjugate
      | Apply ("Weighted", []) -> Some C.Weighted
      | Apply ("Typed", [ tys; ty ]) -> Some (C.Typed (list rtype tys, rtype ty))
      | _ -> raise Malformed)
  | _ -> raise Malformed
let facts t = match meant t with
  | Apply ("fun=>", [ one ]) -> let one = fact one in fun _ -> one
  | Apply ("nth", [ none; found ]) -> C.nth (fact none) (list fact found)
  | _ -> raise Malformed

let family t = match meant t with
  | Apply ("S", []) -> C.S0
  | Apply ("A", []) -> C.A
  | Apply ("C", []) -> C.C
  | Apply ("Signs", []) -> C.Signs
  | Apply ("O", []) -> C.O0
  | Apply ("SO", []) -> C.SO
  | Apply ("GL", []) -> C.GL
  | Apply ("SL", []) -> C.SL
  | Apply ("Scale", []) -> C.Scale
  | _ -> raise Malformed

let motion t = match meant t with
  | Apply ("Still", []) -> C.Still
  | Apply ("Share", [ p; z ]) -> C.Share (nat p, extent z)
  | Apply ("Moved", [ p; k; zs; ds ]) -> C.Moved (nat p, int k, list extent zs, list extent ds)
  | _ -> raise Malformed

let truth t = match meant t with
  | Apply ("true", []) -> true
  | Apply ("false", []) -> false
  | _ -> raise Malformed

(* The axis of entries, if there is one. *)
let place_of t = match meant t with
  | Apply ("None", []) -> None
  | Apply ("Some", [ n ]) -> Some (nat n)
  | _ -> raise Malformed

let accepts t = match meant t with
  | Apply ("check", [ fam; g; known; given; prog; types; claimed ]) ->
      C.check (family fam) (extent g) (facts known) (list rtype given) (list op prog)
        (Obj.magic (list rtype types)) (Obj.magic (rtype claimed))
  | Apply ("shaped", [ known; given; prog; shapes; claimed ]) ->
      C.shaped (list (list (pair nat (list nat))) known) (list shape given) (list op prog)
        (Obj.magic (list shape shapes)) (Obj.magic (shape claimed))
  | Apply ("check_shifts", [ pos; laws; given; prog; claimed ]) ->
      C.check_shifts (Obj.magic (list nat pos)) (Obj.magic (list (pair nat truth) laws)) (list motion given) (list op prog) (motion claimed)
  | Apply ("check_each", [ pos; fam; g; known; given; prog; types; claimed; starts; stop; shape ]) ->
      C.check_each (Obj.magic (list nat pos)) (family fam) (extent g) (facts known) (list rtype given) (list op prog)
        (Obj.magic (list rtype types)) (Obj.magic (rtype claimed)) (list place_of starts) (place_of stop) (list extent shape)
  | Apply ("check_shifts_each", [ pos; laws; given; prog; claimed; starts; ranks; stop; shape ]) ->
      C.check_shifts_each (Obj.magic (list nat pos)) (Obj.magic (list (pair nat truth) laws)) (list motion given) (list op prog) (motion claimed)
        (list place_of starts) (list nat ranks) (place_of stop) (list extent shape)
  | _ -> raise Malformed

(** Statements *)

let rec past word = match token () with "" -> raise Malformed | found -> if found <> word then past word

let definition () =
  let name = token () in
  past ":=";
  Hashtbl.replace known name (term ());
  expect "."

let answer () =
  past "all";
  expect "id";
  let asked = term () in
  expect ".";
  print_endline (if List.for_all Fun.id (list accepts asked) then "= true" else "= false")

(* What is malformed is so up to the next module. *)
let rec statements () =
  match
    (match token () with
     | "" -> false
     | "Definition" -> definition (); true
     | "Eval" -> answer (); true
     | "Module" -> Hashtbl.reset known; past "."; true
     | _ -> past "."; true)
  with
  | more -> if more then statements ()
  | exception (Malformed | Stack_overflow) ->
      print_endline "malformed";
      while not (List.mem (peek ()) [ "Module"; "" ]) do ignore (token ()) done;
      statements ()

let () = statements ()
